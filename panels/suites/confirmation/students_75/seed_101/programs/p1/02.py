folders = [l.split("[DIR] ")[1] for l in fs.list_directory(path="/workspace").splitlines()]
for f in folders[:3]:
    print(fs.read_text_file(path="/workspace/" + f + "/basic_info.csv"))
    print(fs.read_text_file(path="/workspace/" + f + "/recommendation_letter.txt"))
