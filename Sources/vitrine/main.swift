// placeholder
print("x")
