"""Find the shortest road distance between two towns with Dijkstra's algorithm."""
import heapq

ROADS = [
    ("Aford", "Bury", 4), ("Aford", "Colne", 2), ("Colne", "Bury", 1),
    ("Bury", "Dale", 5), ("Colne", "Eden", 3), ("Eden", "Dale", 9),
    ("Eden", "Farm", 1),
]


def build_graph(roads):
    graph = {}
    for start, end, length in roads:
        graph.setdefault(start, []).append((end, length))
    return graph


def shortest(graph, source, target):
    queue = [(0, source)]
    done = set()
    while queue:
        distance, town = heapq.heappop(queue)
        if town == target:
            return distance
        if town in done:
            continue
        done.add(town)
        for neighbour, length in graph[town]:
            if neighbour not in done:
                heapq.heappush(queue, (distance + length, neighbour))
    return None


def main():
    graph = build_graph(ROADS)
    print("Aford-Eden", shortest(graph, "Aford", "Eden"))
    print("Aford-Dale", shortest(graph, "Aford", "Dale"))


if __name__ == "__main__":
    main()
