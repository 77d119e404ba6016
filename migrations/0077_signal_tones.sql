-- By which encoder the tone of a signal without stars was told; null where it was not yet. Tones that a former model told stay
-- until then.
alter table signal add column tone_by text;
