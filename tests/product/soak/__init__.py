"""The service under mixed load for a while, as parts of it are killed, its disk fills up and its clock jumps."""
