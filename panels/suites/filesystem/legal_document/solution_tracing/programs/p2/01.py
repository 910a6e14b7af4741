print(fs.list_directory_with_sizes(path="/workspace/drafts"))
print(fs.read_text_file(path="/workspace/drafts/Supply_Agreement_v0.txt", head=40))
final = fs.read_text_file(path="/workspace/drafts/Supply_Agreement_v10.txt")
for c in ("4.1", "4.12", "6.3", "8.11"):
    i = final.find("\n" + c + "  ")
    print(final[i:final.find("\n\n", i)])
    print("-----")
