import { Link } from '@tanstack/react-router';
import { Icon } from '../kit/icon.tsx';
import { groups } from '../pages/index.ts';
import { AttentionBadge } from './attention_badge.tsx';
import style from './navigation.module.css';

export function Navigation() {
  return (
    <div className={style.nav}>
      {groups.map(({ title, pages }) => (
        <div key={title ?? ''}>
          {title !== undefined && <h2>{title}</h2>}
          <ul>
            {pages.map(({ path, title: name, icon }) => (
              <li key={path}>
                <Link
                  to={`/${path}` as string}
                  activeOptions={{ exact: path === '', includeSearch: false }}
                  activeProps={{ 'data-active': true }}
                >
                  <Icon name={icon} /> {name}
                  {path === 'needs-attention' && <AttentionBadge />}
                </Link>
              </li>
            ))}
            {title === 'Developers' && (
              <li>
                <a href="/docs">
                  <Icon name="reference" /> API reference
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </div>
  );
}
