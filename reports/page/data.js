// What the page was made with: its own element holds it, and a worker gets the text of that element as `pageData`.

const data = JSON.parse(globalThis.document ? document.getElementById("data").textContent : pageData);
