"""Sum the areas and perimeters of geometric shapes."""
import math


class Shape:
    def describe(self):
        return f"{type(self).__name__}: area {self.area():.2f}, perimeter {self.perimeter():.2f}"


class Rectangle(Shape):
    def __init__(self, width, height=1):
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height

    def perimeter(self):
        return 2 * (self.width + self.height)


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side)


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2

    def perimeter(self):
        return 2 * math.pi * self.radius


def main():
    shapes = [Rectangle(3, 4), Square(5), Circle(1), Rectangle(6)]
    for shape in shapes:
        print(shape.describe())
    print(f"total {sum(shape.area() for shape in shapes):.2f}")


if __name__ == "__main__":
    main()
