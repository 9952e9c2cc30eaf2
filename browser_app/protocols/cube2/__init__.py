"""Games on the Cube engines: Sauerbraten, Red Eclipse, AssaultCube and Tesseract."""
