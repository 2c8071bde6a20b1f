#!/usr/bin/env python3
"""Checks the output of the image helper with another decoder: upright, only pixels, close to the original.

    run.py --program .build/debug/vitrine-media [--data ../shared/data]

Without a folder of real images only generated ones are used. Prints failed checks; ends with "N passed, N failed".
"""
import argparse
import io
import os
import subprocess
import sys
import time

from PIL import Image, ImageChops, ImageOps, ImageStat, PngImagePlugin

LIMITS = ["1024", "20", "25000000", "320,640"]
passed, failed = 0, []


def check(ok, what):
    global passed
    if ok:
        passed += 1
    else:
        failed.append(what)
        print("FAIL", what)


def process(program, upload, limits=LIMITS):
    """The files of the output, or (code, message) of a refusal, or the exit code."""
    done = subprocess.run([program, *limits], input=upload, capture_output=True, env={}, timeout=120)
    if done.returncode != 0:
        return done.returncode
    head, _, rest = done.stdout.partition(b"\n\n")
    if head.startswith(b"refused "):
        first, _, message = done.stdout.partition(b"\n")
        return first.split()[1].decode(), message.decode().strip()
    files = []
    for line in head.decode().splitlines()[1:]:
        size = int(line.split()[3])
        files.append(rest[:size])
        rest = rest[size:]
    return files


def difference(one, other):
    """The mean difference of two images of the same size, 0 to 255, composed over a background."""
    background = Image.new("RGBA", one.size, (90, 140, 60, 255))
    flat = [Image.alpha_composite(background, image.convert("RGBA")).convert("RGB") for image in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(*flat)).mean) / 3


def check_files(name, upload, files):
    try:
        original = ImageOps.exif_transpose(Image.open(io.BytesIO(upload)))
        original.load()
    except (OSError, SyntaxError, ValueError):
        original = None  # a type or damage that the other decoder can't read
    for number, content in enumerate(files):
        image = Image.open(io.BytesIO(content))
        image.load()
        known = {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression", "dpi"}
        check(set(image.info) <= known, f"{name}: contains {sorted(set(image.info) - known)}")
        check(len(image.getexif()) == 0, f"{name}: contains EXIF")
        check(not any(mark in content for mark in (b"Exif", b"ns.adobe.com", b"ICC_PROFILE", b"iCCP", b"tEXt")),
              f"{name}: contains a block of metadata")
        if original is not None and number == len(files) - 1:
            check(image.size == original.size, f"{name}: is {image.size}, should be {original.size}")
            if image.size == original.size and "icc_profile" not in original.info:
                distance = difference(image, original)
                check(distance < 12, f"{name}: differs by {distance:.1f} from the original")


def check_folder(program, folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".md"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            upload = file.read()
        result = process(program, upload)
        if isinstance(result, list):
            check_files(name, upload, result)
        else:
            check(isinstance(result, tuple) and len(result[1]) > 20, f"{name}: ended with {result}")


def sample():
    """Four colors in four corners, so that every rotation and reflection looks different."""
    image = Image.new("RGB", (80, 60))
    for box, color in (((0, 0, 40, 30), "red"), ((40, 0, 80, 30), "lime"), ((0, 30, 40, 60), "blue"),
                        ((40, 30, 80, 60), "white")):
        image.paste(color, box)
    return image


def saved(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def check_samples(program):
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        exif.get_ifd(0x8825)[1] = "N"
        exif.get_ifd(0x8825)[2] = (48.0, 51.0, 29.0)
        for kind in ("JPEG", "WEBP", "PNG"):
            upload = saved(sample(), kind, exif=exif.tobytes())
            files = process(program, upload)
            check(isinstance(files, list), f"{kind} with orientation {orientation}: {files}")
            if isinstance(files, list):
                check_files(f"{kind} with orientation {orientation}", upload, files)
    note = PngImagePlugin.PngInfo()
    note.add_text("Comment", "<script>alert(1)</script>" * 50)
    for name, image, options in (
            ("a comment", sample(), {"pnginfo": note}), ("alpha", sample().convert("RGBA"), {}),
            ("translucent", Image.new("RGBA", (40, 30), (200, 30, 30, 120)), {}), ("gray", sample().convert("L"), {}),
            ("one bit", sample().convert("1"), {}), ("palette", sample().convert("P"), {}),
            ("sixteen bits", Image.new("I;16", (40, 30), 30000), {})):
        upload = saved(image, "PNG", **options)
        files = process(program, upload)
        check(isinstance(files, list), f"{name}: {files}")
        if isinstance(files, list):
            checked = saved(Image.new("L", (40, 30), 117), "PNG") if name == "sixteen bits" else upload
            check_files(name, checked, files)
    check_files("CMYK", saved(Image.new("CMYK", (40, 30), (0, 0, 0, 0)), "JPEG"),
                process(program, saved(Image.new("CMYK", (40, 30), (0, 0, 0, 0)), "JPEG")))


def check_bombs(program):
    black = saved(Image.new("L", (6000, 6000)), "PNG")
    check(process(program, black)[0] == "too_many_pixels", "36 million pixels")
    check(process(program, saved(Image.new("L", (17000, 10)), "PNG"))[0] == "too_many_pixels", "too wide")
    frames = [Image.new("RGB", (10, 10), (number * 4, 0, 99)) for number in range(60)]
    film = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    check(process(program, film)[0] == "animated", "sixty frames")
    full = saved(Image.effect_noise((900, 900), 80).convert("RGB"), "JPEG")
    check(process(program, full[:len(full) // 2])[0] == "damaged", "half a JPEG")
    cost = process(program, saved(Image.new("RGB", (4900, 4900)), "PNG"), ["256", "20", "25000000", "320"])
    check(cost[0] == "too_costly" if isinstance(cost, tuple) else cost != 0, f"too little memory: {cost}")
    # Damage at any position results in a refusal, an image or an exceeded limit, nothing else.
    for offset in range(2, len(full), len(full) // 60):
        broken = bytearray(full)
        broken[offset:offset + 3] = b"\xff\x00\xd9"
        result = process(program, bytes(broken))
        check(isinstance(result, (list, tuple)), f"damage at {offset}: {result}")


def check_sandbox(program):
    """The helper is sandboxed before it reads the upload: by filters and limits."""
    with subprocess.Popen([program, *LIMITS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) as child:
        directory = f"/proc/{child.pid}"
        status = {}
        for _ in range(1000):
            with open(f"{directory}/status") as file:
                status = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
            if status.get("Seccomp") == "2":
                break
            time.sleep(0.01)
        check(status.get("Seccomp") == "2" and status.get("NoNewPrivs") == "1", "system calls are filtered")
        with open(f"{directory}/limits") as file:
            limits = file.read()
        check("Max address space         1073741824           1073741824" in limits, "memory is limited")
        check("Max file size             0                    0" in limits, "no file can grow")
        child.stdin.close()
        check(child.stdout.read().startswith(b"refused empty"), "it still processes uploads")


parser = argparse.ArgumentParser()
parser.add_argument("--program", default=".build/debug/vitrine-media")
parser.add_argument("--data", default=os.environ.get("VITRINE_DATA", "../shared/data"))
options = parser.parse_args()
Image.MAX_IMAGE_PIXELS = None
folder = os.path.join(options.data, "images")
if os.path.isdir(folder):
    check_folder(options.program, folder)
else:
    print(f"Skipped: there is no {folder}; generated images are used instead.")
check_samples(options.program)
check_bombs(options.program)
check_sandbox(options.program)
print(f"{passed} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
