print(fs.list_directory(path="/workspace/drafts"))
print(fs.read_text_file(path="/workspace/drafts/Supply_Agreement_v10.txt"))
