"""Check the permissions of users through nested groups."""

PARENT = {"interns": "staff", "staff": "everyone", "admins": "staff"}
GRANTS = {"everyone": {"read"}, "staff": {"write"}, "admins": {"delete"}}


def allowed(group, action):
    if action in GRANTS.get(group, set()):
        return True
    if group in PARENT:
        allowed(PARENT[group], action)
    return False


def report(group):
    actions = ["read", "write", "delete"]
    granted = [action for action in actions if allowed(group, action)]
    return f"{group}: {', '.join(granted) or 'nothing'}"


def main():
    for group in ("everyone", "staff", "interns", "admins"):
        print(report(group))


if __name__ == "__main__":
    main()
