-- The day that the record of a decision gives, which is seldom the day on which its file was taken over. Null where it gives none.
alter table decision add column decided_on date;
