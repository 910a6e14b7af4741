summary = ""
for column, subject in enumerate(SUBJECTS, start=2):
    grades = [row[column] for row in rows]
    summary += f"{subject}: " + " ".join(f"{letter}={grades.count(letter)}" for letter in "ABCDF") + "\n"
fs.write_file(path="/workspace/grade_summary.txt", content=summary)
