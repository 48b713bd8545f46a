export { TestCardsPage as Page } from './page.tsx';
