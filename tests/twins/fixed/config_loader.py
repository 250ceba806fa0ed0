"""Read settings from text and from overrides, falling back to defaults."""

DEFAULTS = {"port": 8080, "workers": 4, "timeout": 30}


def parse_lines(text):
    settings = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, value = line.split("=")
            settings[key.strip()] = value.strip()
    return settings


def as_int(value, default):
    try:
        return int(str(value), 0)
    except (ValueError, TypeError):
        return default


def load(text, overrides):
    settings = dict(DEFAULTS)
    given = parse_lines(text)
    given.update(overrides)
    for key, default in DEFAULTS.items():
        if key in given:
            settings[key] = as_int(given[key], default)
    return settings


def main():
    text = "port = 0x1F90   # hexadecimal is fine\nworkers = 8\ntimeout = soon\n"
    settings = load(text, {"workers": 16})
    for key in sorted(settings):
        print(key, "=", settings[key])


if __name__ == "__main__":
    main()
