export { NeedsAttentionPage as Page } from './page.tsx';
