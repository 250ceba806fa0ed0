"""Convert the legs of a journey to kilometres and add them up."""

METRE = 1.0
KILOMETRE = 1000 * METRE
MILE = 1609.34 * METRE
NAUTICAL_MILE = 1852 * METRE

UNITS = {"km": KILOMETRE, "mi": MILE, "nmi": NAUTICAL_MILE, "m": METRE}


def to_km(amount, unit):
    return amount * UNITS[unit] / KILOMETRE


def journey(legs):
    total = 0
    for amount, unit in legs:
        total += to_km(amount, unit)
    return total


def main():
    legs = [(120, "km"), (62, "mi"), (10, "nmi"), (500, "m")]
    for amount, unit in legs:
        print(f"{amount} {unit} = {to_km(amount, unit):.2f} km")
    print(f"total {journey(legs):.2f} km")


if __name__ == "__main__":
    main()
