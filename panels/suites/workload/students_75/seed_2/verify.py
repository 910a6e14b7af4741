"""Success: `qualified_students.txt` lists exactly the students with a final English grade of S or A
and a TOEFL score of at least 100, by id, in the form asked for, and nothing else has changed.
"""

from panels.suites.filesystem.student_database.english_talent.verify import verify
from panels.suites.support import verify_main

__all__ = ["verify"]

if __name__ == "__main__":
    verify_main(verify)
