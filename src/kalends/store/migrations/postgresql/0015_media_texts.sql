-- What an image shows, for those who do not see it, and the point that stays visible when it is cropped.
ALTER TABLE media ADD COLUMN alt TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE media ADD COLUMN focus TEXT COLLATE "C" NOT NULL DEFAULT '';
