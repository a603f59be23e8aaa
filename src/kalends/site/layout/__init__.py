"""What every page stands in: its frame, the head, the appearance that its owner chose, style sheets and scripts."""
