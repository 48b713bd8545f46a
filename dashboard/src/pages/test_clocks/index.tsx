export { TestClockPage as Detail } from './detail.tsx';
export { TestClocksPage as Page } from './list.tsx';
