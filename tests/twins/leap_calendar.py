"""Number of days between two dates, counted by hand."""

MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    return year % 4 == 0 or (year % 100 != 0 and year % 400 == 0)


def days_in_month(year, month):
    if month == 2 and is_leap(year):
        return 29
    return MONTHS[month - 1]


def day_of_year(year, month, day):
    days = day
    for m in range(1, month):
        days += days_in_month(year, m)
    return days


def days_between(first, second):
    if first > second:
        return -days_between(second, first)
    days = day_of_year(*second) - day_of_year(*first)
    for year in range(first[0], second[0]):
        days += 366 if is_leap(year) else 365
    return days


def main():
    print(days_between((2023, 2, 1), (2024, 3, 1)))
    print(days_between((1899, 12, 31), (1900, 3, 1)))
    print(days_between((2001, 1, 1), (2000, 1, 1)))


if __name__ == "__main__":
    main()
