# From a .tsv.gz to a saved model, as one writes it with scikit-learn: bench/questions/textfile.ts runs it.
# Usage: textfile.py DATA EPOCHS MODEL; prints a line of JSON: milliseconds of processor time for imports and in all.

import time

begun = time.process_time()

import csv
import gzip
import json
import sys

import joblib
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline

imported = time.process_time()
data, epochs, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with gzip.open(data, "rt", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, delimiter="\t"))
model = make_pipeline(
    TfidfVectorizer(),
    # The averaged perceptron, one class against the others, exactly so many epochs.
    SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1, average=True, max_iter=epochs, tol=None
    ),
)
model.fit([row["description"] for row in rows], [row["section"] for row in rows])
joblib.dump(model, path)
print(json.dumps({"importMs": 1000 * (imported - begun), "rows": len(rows)}))
