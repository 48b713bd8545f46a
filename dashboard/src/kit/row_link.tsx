import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pathOfId } from './paths.ts';
import style from './row_link.module.css';

/** What a row is called by: leads to the page of its object. */
export function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link to={pathOfId(id) as string} className={style.link}>
      {children}
    </Link>
  );
}
