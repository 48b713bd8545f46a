import { Section } from '../../kit/detail_page.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { usePlace } from '../../session/place.tsx';
import { aboutRole, roles } from '../../session/rights.ts';
import style from './people.module.css';

/** What each role may do, and which one is one's own. */
export function Roles() {
  const { account, may } = usePlace();
  return (
    <Section title="Roles">
      {!may('people') && (
        <p className={style.note}>Owners see who works in this account, and decide what they may do.</p>
      )}
      <dl className={style.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>
              {wordsOf(role)}
              {role === account.role && <span className={style.you}>your role</span>}
            </dt>
            <dd>{aboutRole[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
