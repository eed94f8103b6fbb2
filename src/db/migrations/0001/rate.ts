/**
 * Each caller's requests within the last minute. Unlogged: a crash of the server loses no more than a minute's count.
 */
export const rate = `
-- caller: the authenticated caller, or the client address; hits: every request in its window, in order
create unlogged table rate_window (
  caller text primary key,
  hits timestamptz[] not null,
  admitted boolean not null
) with (fillfactor = 50);
`
