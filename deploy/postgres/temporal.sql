-- The databases of Temporal, empty.
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database temporal, temporal_visibility from public;
