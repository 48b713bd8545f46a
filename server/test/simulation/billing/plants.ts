/** Typical defects of a gateway, planted in the database, so that no code has to be changed. */
export const plants: { name: string; plant: string; caught: RegExp }[] = [
  {
    name: 'a period that is invoiced twice',
    plant: `
      do $$ declare name text; begin
        for name in select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
                     where x.indrelid = 'invoices'::regclass and x.indisunique and not x.indisprimary
        loop execute 'drop index ' || name; end loop;
      end $$;
      create function planted() returns trigger language plpgsql as $$ declare twin invoices := new; begin
        twin.id := overlay(new.id placing 'zzzz' from length(new.id) - 3);
        if pg_trigger_depth() = 1 then insert into invoices select twin.*; end if;
        return null;
      end $$;
      create trigger planted after insert on invoices for each row when (new.billing_reason = 'subscription_cycle')
        execute function planted()`,
    caught: /invoices › \d+ is .*, but should be undefined/,
  },
  {
    name: 'a boundary that is computed from the previous one',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        new.current_period_end := extract(epoch from
          (to_timestamp(new.current_period_start) at time zone 'UTC' + interval '1 month') at time zone 'UTC');
        return new;
      end $$;
      create trigger planted before update on subscriptions for each row
        when (new.current_period_start > old.current_period_start) execute function planted()`,
    caught: /current_period_end is 171170\d+, but should be 1711879200/, // the 29th of March for the 31st
  },
  {
    name: 'a hard decline that is tried again',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        new.next_payment_attempt := new.failed_at + 86400;
        new.clock_due_at := to_timestamp(new.next_payment_attempt);
        return new;
      end $$;
      create trigger planted before insert or update on invoices for each row
        when (new.status = 'open' and new.next_payment_attempt is null and new.attempt_count = 1) execute function planted()`,
    caught: /emil.*(attempt_count is 2, but should be 1|next_payment_attempt is \d+, but should be undefined)/,
  },
];
