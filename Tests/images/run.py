#!/usr/bin/env python3
"""Checks the output of the image helper with another decoder: upright, only pixels, close to the original.

    run.py --program .build/debug/vitrine-media [--data ../shared/data]

Without a folder of real images only generated ones are used. Prints failed checks; ends with "N passed, N failed".
"""
import argparse
import base64
import io
import os
import resource
import subprocess
import sys
import time

from PIL import Image, ImageChops, ImageOps, ImageStat, PngImagePlugin

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "journeys"))
from patience import seconds  # noqa: E402

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
    done = subprocess.run([program, *limits], input=upload, capture_output=True, env={}, timeout=seconds(120))
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
            # Some SVG files only end when their CPU time does.
            is_limited = name.endswith(".svg") and result == -9
            check(is_limited or isinstance(result, tuple) and len(result[1]) > 20, f"{name}: ended with {result}")


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


SVG = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "


def embedded(kind):
    data = base64.b64encode(saved(Image.new("RGB", (10, 10), (9, 200, 9)), kind)).decode()
    return f"viewBox='0 0 10 10'><image width='10' height='10' xlink:href='data:image/{kind.lower()};base64,{data}'/></svg>"


def cpu_seconds():
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_drawings(program):
    """SVG is drawn with its longer side at the largest width; what would be missing is refused."""
    for name, rest, size, color in (
            ("width and height", "width='20' height='10'><rect width='20' height='10' fill='red'/></svg>", (640, 320),
             (255, 0, 0, 255)),
            ("a viewBox", "viewBox='0 0 10 20'><rect width='10' height='20' fill='#00ff00' fill-opacity='.5'/></svg>",
             (320, 640), (0, 255, 0, 128)),
            ("percent", "width='100%' height='100%' viewBox='0 0 9 9'><rect width='9' height='9' fill='blue'/></svg>",
             (640, 640), (0, 0, 255, 255)),
            ("a style", "viewBox='0 0 9 9'><style>@import url(http://127.0.0.1:9/a.css); rect{fill:#00f}</style>"
             "<rect width='9' height='9'/></svg>", (640, 640), (0, 0, 255, 255)),
            ("a script", "viewBox='0 0 9 9' onload='alert(1)'><script>alert(1)</script>"
             "<rect width='9' height='9' fill='blue'/></svg>", (640, 640), (0, 0, 255, 255)),
            ("an embedded PNG", embedded("PNG"), (640, 640), (9, 200, 9, 255)),
            ("an embedded JPEG", embedded("JPEG"), (640, 640), (9, 200, 9, 255))):
        files = process(program, (SVG + rest).encode())
        check(isinstance(files, list), f"SVG with {name}: {files}")
        if isinstance(files, list):
            image = Image.open(io.BytesIO(files[-1])).convert("RGBA")
            check(image.format is None and files[-1].startswith(b"\x89PNG"), f"SVG with {name} is a PNG")
            check(image.size == size, f"SVG with {name}: is {image.size}, should be {size}")
            middle = image.getpixel((image.width // 2, image.height // 2))
            check(all(abs(a - b) < 3 for a, b in zip(middle, color)), f"SVG with {name}: {middle}, should be {color}")
    for code, rest in (
            ("svg_text", "viewBox='0 0 9 9'><text>Logo</text></svg>"), ("svg_external", embedded("GIF")),
            ("svg_external", "viewBox='0 0 9 9'><image xlink:href='file:///etc/passwd'/></svg>"),
            ("svg_external", "viewBox='0 0 9 9'><image href='http://127.0.0.1:9/a.png'/></svg>"),
            ("animated", "viewBox='0 0 9 9'><rect><animate/></rect></svg>"), ("svg_size", "><rect/></svg>"),
            ("damaged", "viewBox='0 0 9 9'><rect")):
        result = process(program, (SVG + rest).encode())
        check(isinstance(result, tuple) and result[0] == code and len(result[1]) > 20, f"{code}: {result}")
    laughs = "".join(f"<!ENTITY l{n} '" + f"&l{n - 1};" * 10 + "'>" for n in range(1, 10))
    for name, svg in (
            ("a file as entity", f"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{SVG}viewBox='0 0 9 9'>"
             "<title>&x;</title></svg>"),
            ("a billion laughs", f"<!DOCTYPE svg [<!ENTITY l0 'lol'>{laughs}]>{SVG}viewBox='0 0 9 9'><title>&l9;</title></svg>"),
            ("deep nesting", f"{SVG}viewBox='0 0 9 9'>" + "<g>" * 100000)):
        result = process(program, svg.encode())
        check(isinstance(result, tuple), f"{name}: {result}")
    groups = "".join(f"<g id='g{n}'>" + f"<use href='#g{n - 1}'/>" * 10 + "</g>" for n in range(1, 12))
    bombs = (("references", f"{SVG}viewBox='0 0 9 9'><rect id='g0' width='9' height='9'/>{groups}</svg>"),
             ("a filter", f"{SVG}viewBox='0 0 9 9'><filter id='f'><feTurbulence numOctaves='9999' baseFrequency='.01'/>"
              "</filter><rect width='9' height='9' filter='url(#f)'/></svg>"))
    for name, svg in bombs:
        before = cpu_seconds()
        result = process(program, svg.encode(), ["1024", "2", "25000000", "640"])
        check(cpu_seconds() - before < 10, f"{name} end within the time limit: {result}")


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
        status, end = {}, time.monotonic() + seconds(10)
        while status.get("Seccomp") != "2" and time.monotonic() < end:
            time.sleep(0.01)
            with open(f"{directory}/status") as file:
                status = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
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
folder = os.path.join(options.data, "pictures")
if os.path.isdir(folder):
    check_folder(options.program, folder)
else:
    print(f"Skipped: there is no {folder}; generated images are used instead.")
check_samples(options.program)
check_drawings(options.program)
check_bombs(options.program)
check_sandbox(options.program)
print(f"{passed} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
