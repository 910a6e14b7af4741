table = ["student_id,name," + ",".join(SUBJECTS)]
table += [",".join([i, n] + g) for i, n, g in students]
fs.write_file(path="/workspace/student_grades.csv", content="\n".join(table) + "\n")
summary = [f"{s}: " + " ".join(f"{g}={tally[s][g]}" for g in "ABCDF") for s in SUBJECTS]
fs.write_file(path="/workspace/grade_summary.txt", content="\n".join(summary) + "\n")
print(fs.read_text_file(path="/workspace/student_grades.csv", head=8))
print(fs.read_text_file(path="/workspace/grade_summary.txt"))
