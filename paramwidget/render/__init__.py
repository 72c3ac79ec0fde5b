"""One breakdown, several forms: all of them walk the rows of rows.py."""
