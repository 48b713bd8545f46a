import type { Event } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import style from './changed.module.css';

/** Of an update: what each member was, and what it is. */
export function Changed({ event }: { event: Event }) {
  const before = Object.entries((event.data.previous_attributes ?? {}) as Record<string, unknown>);
  const object = event.data.object as Record<string, unknown>;
  if (before.length === 0) return null;
  return (
    <Section title="What has changed">
      <table className={style.changed}>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {before.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(value)}</td>
              <td>{shown(object[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
