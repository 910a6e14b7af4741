back = [fs.read_text_file(path=f"/workspace/parts/part_{n:02d}.txt") for n in range(1, 11)]
print([len(p) for p in back])
print("joined equals the chronicle:", "".join(back) == text)
