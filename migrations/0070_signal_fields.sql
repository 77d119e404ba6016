-- What imports say of a message besides its words: numbers are counted by it. Null where the source does not say it.

-- Stars, 1 to 5.
alter table signal add column rating real check (rating between 1 and 5);
alter table signal add column version text;
-- As the source writes it, such as `de` or `pt-BR`.
alter table signal add column language text;

-- Stars were only stored as the reason of the polarity.
update signal set rating = substring(polarity_words[1] from '^([0-9.]+) of 5 stars$')::real
 where polarity_words[1] ~ '^[1-5](\.[0-9]+)? of 5 stars$';
