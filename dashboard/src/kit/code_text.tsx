import style from './code_text.module.css';
import { Copy } from './copy.tsx';
import { FactList } from './fact_list.tsx';

/** A text as it is, such as the answer of a receiver. It is never markup. */
export function CodeText({ text, label }: { text: string; label: string }) {
  return (
    <div className={style.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <span>
        <Copy text={text} label={label} />
      </span>
    </div>
  );
}

/** Names and values, as in a request. */
export function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  return <FactList facts={Object.entries(headers)} className={style.headers} />;
}
