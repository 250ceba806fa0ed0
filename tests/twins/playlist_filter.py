"""Remove the skipped tracks from a playlist and print what is left to play."""


def is_short(track):
    return track["seconds"] < 60


def drop_short(tracks):
    for track in tracks:
        if is_short(track):
            tracks.remove(track)
    return tracks


def total_time(tracks):
    seconds = sum(track["seconds"] for track in tracks)
    return f"{seconds // 60}:{seconds % 60:02d}"


def main():
    lengths = [("Intro", 35), ("Jingle", 12), ("Sunrise", 210),
               ("Skit", 48), ("Blue Road", 185), ("Outro", 59)]
    playlist = [{"title": title, "seconds": seconds} for title, seconds in lengths]
    playlist = drop_short(playlist)
    for track in playlist:
        print(track["title"], track["seconds"])
    print("total", total_time(playlist))


if __name__ == "__main__":
    main()
