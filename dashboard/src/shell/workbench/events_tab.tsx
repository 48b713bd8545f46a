import { Link } from '@tanstack/react-router';
import type { Event } from '@tollgate/node';
import { Json } from '../../kit/json.tsx';
import { Created } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { objectWords } from '../../nouns/object_words.ts';
import { Entries } from './entries.tsx';
import style from './workbench.module.css';

const newest = 50;

export function EventsTab({ subject }: { subject: string | undefined }) {
  const filter = filterOf(subject);
  const { data, error } = useRead(['events', 'workbench', filter], (api, options) =>
    api.events.list({ ...filter, limit: newest }, options),
  );
  return (
    <Entries
      label="Events"
      items={data?.data}
      error={error}
      nothing="No events yet. Every change makes one."
      row={(event) => <Row event={event} />}
      detail={(event) => (
        <div>
          <h3 className={style.heading}>
            {event.type}{' '}
            <Link to={`/events/${event.id}` as string} className="plain-link">
              {event.id}
            </Link>
          </h3>
          <Json value={event} />
        </div>
      )}
    />
  );
}

function filterOf(subject: string | undefined): { ids?: string; object_id?: string } {
  if (subject === undefined) return {};
  return subject.startsWith('evt_') ? { ids: subject } : { object_id: subject };
}

function Row({ event }: { event: Event }) {
  const object = event.data.object as { id: string; object: string };
  return (
    <>
      <span className={`truncated ${style.what}`}>
        <code>{event.type}</code> <span className="quiet">{objectWords(object) ?? object.id}</span>
      </span>
      <span className={style.when}>
        <Created of={event} precision="second" />
      </span>
    </>
  );
}
