#!/usr/bin/env python3
"""Looks at what the image helper gives with another decoder: upright, nothing but pixels, close to the original.

    run.py --program .build/debug/vitrine-media [--data ../shared/data]

Images made here stand in where there is no folder of real ones. Prints a line per check; ends with "N passed, N failed".
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


def make(program, upload, limits=LIMITS):
    """The images of the answer, or (code, sentence) of a refusal, or the exit code."""
    done = subprocess.run([program, *limits], input=upload, capture_output=True, env={}, timeout=120)
    if done.returncode != 0:
        return done.returncode
    head, _, rest = done.stdout.partition(b"\n\n")
    if head.startswith(b"refused "):
        first, _, sentence = done.stdout.partition(b"\n")
        return first.split()[1].decode(), sentence.decode().strip()
    files = []
    for line in head.decode().splitlines()[1:]:
        size = int(line.split()[3])
        files.append(rest[:size])
        rest = rest[size:]
    return files


def difference(one, other):
    """How far two images of one size are apart, 0 to 255 on average, over a backdrop where they are transparent."""
    backdrop = Image.new("RGBA", one.size, (90, 140, 60, 255))
    flat = [Image.alpha_composite(backdrop, image.convert("RGBA")).convert("RGB") for image in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(*flat)).mean) / 3


def check_files(name, upload, files):
    try:
        original = ImageOps.exif_transpose(Image.open(io.BytesIO(upload)))
        original.load()
    except (OSError, SyntaxError, ValueError):
        original = None  # a kind or damage that the other decoder does not read
    for number, content in enumerate(files):
        image = Image.open(io.BytesIO(content))
        image.load()
        known = {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression", "dpi"}
        check(set(image.info) <= known, f"{name}: carries {sorted(set(image.info) - known)}")
        check(len(image.getexif()) == 0, f"{name}: carries EXIF")
        check(not any(mark in content for mark in (b"Exif", b"ns.adobe.com", b"ICC_PROFILE", b"iCCP", b"tEXt")),
              f"{name}: carries a block of metadata")
        if original is not None and number == len(files) - 1:
            check(image.size == original.size, f"{name}: is {image.size}, should be {original.size}")
            if image.size == original.size and "icc_profile" not in original.info:
                apart = difference(image, original)
                check(apart < 12, f"{name}: is {apart:.1f} apart from the original")


def check_folder(program, folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".md"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            upload = file.read()
        answer = make(program, upload)
        if isinstance(answer, list):
            check_files(name, upload, answer)
        else:
            check(isinstance(answer, tuple) and len(answer[1]) > 20, f"{name}: ended with {answer}")


def sample():
    """Four colors in four corners, so that no turning or mirroring looks like another."""
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
            files = make(program, upload)
            check(isinstance(files, list), f"{kind} turned by {orientation}: {files}")
            if isinstance(files, list):
                check_files(f"{kind} turned by {orientation}", upload, files)
    note = PngImagePlugin.PngInfo()
    note.add_text("Comment", "<script>alert(1)</script>" * 50)
    for name, image, options in (
            ("a note", sample(), {"pnginfo": note}), ("alpha", sample().convert("RGBA"), {}),
            ("half seen", Image.new("RGBA", (40, 30), (200, 30, 30, 120)), {}), ("gray", sample().convert("L"), {}),
            ("one bit", sample().convert("1"), {}), ("palette", sample().convert("P"), {}),
            ("sixteen bits", Image.new("I;16", (40, 30), 30000), {})):
        upload = saved(image, "PNG", **options)
        files = make(program, upload)
        check(isinstance(files, list), f"{name}: {files}")
        if isinstance(files, list):
            checked = saved(Image.new("L", (40, 30), 117), "PNG") if name == "sixteen bits" else upload
            check_files(name, checked, files)
    check_files("four inks", saved(Image.new("CMYK", (40, 30), (0, 0, 0, 0)), "JPEG"),
                make(program, saved(Image.new("CMYK", (40, 30), (0, 0, 0, 0)), "JPEG")))


def check_bombs(program):
    black = saved(Image.new("L", (6000, 6000)), "PNG")
    check(make(program, black)[0] == "too_many_pixels", "36 million pixels")
    check(make(program, saved(Image.new("L", (17000, 10)), "PNG"))[0] == "too_many_pixels", "wider than JPEG can be")
    frames = [Image.new("RGB", (10, 10), (number * 4, 0, 99)) for number in range(60)]
    film = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    check(make(program, film)[0] == "animated", "sixty frames")
    whole = saved(Image.effect_noise((900, 900), 80).convert("RGB"), "JPEG")
    check(make(program, whole[:len(whole) // 2])[0] == "damaged", "half a JPEG")
    cost = make(program, saved(Image.new("RGB", (4900, 4900)), "PNG"), ["256", "20", "25000000", "320"])
    check(cost[0] == "too_costly" if isinstance(cost, tuple) else cost != 0, f"too little memory: {cost}")
    # Damage anywhere is a refusal, an image or an end at the limits, and never anything else.
    for place in range(2, len(whole), len(whole) // 60):
        broken = bytearray(whole)
        broken[place:place + 3] = b"\xff\x00\xd9"
        answer = make(program, bytes(broken))
        check(isinstance(answer, (list, tuple)), f"damage at {place}: {answer}")


def check_doors(program):
    """While it waits for the upload it is confined already: by filters, limits, and no descriptor but three."""
    with subprocess.Popen([program, *LIMITS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) as child:
        place = f"/proc/{child.pid}"
        facts = {}
        for _ in range(1000):
            with open(f"{place}/status") as file:
                facts = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
            if facts.get("Seccomp") == "2":
                break
            time.sleep(0.01)
        check(facts.get("Seccomp") == "2" and facts.get("NoNewPrivs") == "1", "system calls are filtered")
        with open(f"{place}/limits") as file:
            limits = file.read()
        check("Max address space         1073741824           1073741824" in limits, "memory is limited")
        check("Max file size             0                    0" in limits, "no file can grow")
        child.stdin.close()
        check(child.stdout.read().startswith(b"refused empty"), "it answers all the same")


parser = argparse.ArgumentParser()
parser.add_argument("--program", default=".build/debug/vitrine-media")
parser.add_argument("--data", default=os.environ.get("VITRINE_DATA", "../shared/data"))
options = parser.parse_args()
Image.MAX_IMAGE_PIXELS = None
folder = os.path.join(options.data, "images")
if os.path.isdir(folder):
    check_folder(options.program, folder)
else:
    print(f"Skipped: there is no {folder}; the images made here stand in.")
check_samples(options.program)
check_bombs(options.program)
check_doors(options.program)
print(f"{passed} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
