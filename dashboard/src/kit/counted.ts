/** `1 refund`, `2 refunds`; `1 line agrees`, `2 lines agree`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
