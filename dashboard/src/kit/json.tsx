import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Copy } from './copy.tsx';
import style from './json.module.css';
import { pathOfId } from './paths.ts';

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/gi;

/** JSON with colours. Ids lead to the pages of their objects. */
export function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className={style.json}>
      <div className={style.copy}>
        <Copy text={text} label="Copy as JSON" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <code>{coloured(text)}</code>
      </pre>
    </div>
  );
}

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon = '', literal] = match;
    parts.push(<Fragment key={`t${match.index}`}>{text.slice(end, match.index)}</Fragment>);
    end = match.index + whole.length;
    const kind = literal !== undefined ? style.literal : colon !== '' ? style.name : style.string;
    parts.push(
      <span key={match.index} className={kind}>
        {string !== undefined && colon === '' ? linked(string) : (string ?? literal)}
      </span>,
      colon,
    );
  }
  return [...parts, text.slice(end)];
}

function linked(string: string): ReactNode {
  const path = pathOfId(string.slice(1, -1));
  return path === undefined ? string : <Link to={path as string}>{string}</Link>;
}
