-- tollgate: rolling
-- The tables of the simulator are named as all others are: a name with a schema does not follow the search path, by which a connection finds
-- the tables of its place. Servers of the previous version read and write them through views, which a later migration drops.
do $$
declare
  named text;
begin
  foreach named in array array['entries', 'challenges', 'news', 'faults'] loop
    continue when to_regclass('simulator_' || named) is not null;
    execute format('alter table simulator.%I rename to %I', named, 'simulator_' || named);
    execute format('alter table simulator.%I set schema %I', 'simulator_' || named, current_schema());
    execute format('create view simulator.%I as select * from %I.%I', named, current_schema(), 'simulator_' || named);
  end loop;
  if to_regclass('simulator_charges') is null then
    alter view simulator.charges rename to simulator_charges;
    execute format('alter view simulator.simulator_charges set schema %I', current_schema());
    execute format('create view simulator.charges as select * from %I.simulator_charges', current_schema());
  end if;
end $$;
