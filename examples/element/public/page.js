// The element leaves the title of the page alone, because it may be one of several.
const title = document.title;

document.addEventListener('multilocal-articles:show', ({ detail: { article } }) => {
  document.title = article ? `${article.title} | ${title}` : title;
});
