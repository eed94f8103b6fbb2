/**
 * How often each caller has asked within the last minute. Lost in a crash of the server, which is as good as a
 * minute.
 */
export const rate = `
-- caller: a verified one, or the address of one that was not; hits: every request of its window, in order
create unlogged table rate_window (
  caller text primary key,
  hits timestamptz[] not null,
  admitted boolean not null
) with (fillfactor = 50);
`
