export * from './generated/client';
