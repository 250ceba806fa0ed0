"""Shares of a sum, with contracts."""
import icontract


@icontract.require(lambda parts: parts > 0)
@icontract.ensure(lambda result, whole, parts: result * parts <= whole)
def share(whole, parts):
    return -(-whole // parts)


def shares(whole, people):
    return {name: share(whole, len(people)) for name in people}


if __name__ == "__main__":
    print(shares(10, ["ann", "bob", "cy"]))
