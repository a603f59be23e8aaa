"""What every page stands in: its frame, the head, the appearance that the owner has chosen, style sheets and scripts."""
