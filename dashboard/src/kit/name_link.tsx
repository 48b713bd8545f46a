import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pathOfId } from '../pages/index.ts';
import style from './name_link.module.css';

/** What the rows of a list are told by; it leads to the object. */
export function NameLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link to={pathOfId(id) as string} className={style.name}>
      {children}
    </Link>
  );
}
