"""Print the repayment schedule of a loan with a fixed monthly payment."""


def monthly_interest(balance, yearly_rate):
    return round(balance * yearly_rate / 12, 2)


def schedule(amount, yearly_rate, payment):
    rows = []
    balance = amount
    month = 0
    while balance > 0 and month < 120:
        month += 1
        interest = monthly_interest(balance, yearly_rate)
        if balance + interest <= payment:
            rows.append((month, interest, balance, 0.0))
            break
        principal = round(payment - interest, 2)
        balance = round(balance - principal, 2)
        rows.append((month, interest, principal, balance))
    return rows


def total_interest(rows):
    return round(sum(row[1] for row in rows), 2)


def main():
    rows = schedule(1000.0, 0.12, 250.0)
    for month, interest, principal, balance in rows:
        print(f"{month:3d} {interest:8.2f} {principal:8.2f} {balance:9.2f}")
    print("interest paid:", total_interest(rows))
    print("principal paid:", round(sum(row[2] for row in rows), 2))


if __name__ == "__main__":
    main()
