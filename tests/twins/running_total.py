"""Numbers up to the first that is too large."""
readings = [3, 4, 50, 5, 120, 7]
total = count = 0
for reading in readings:
    if reading > 100:
        break
    if reading >= 50:
        continue
    total += count
    count += 1
print(total, count)
