"""What animals say."""


class Animal:
    def sound(self):
        return "..."

    def speak(self, times):
        return " ".join([self.sound()] * times)


class Dog(Animal):
    def sound(self):
        return "wuff"


print(Dog().speak(2))
