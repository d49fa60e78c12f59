package s3

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/sluice-io/sluice/cloud"
)

// Upload is a multipart upload that is neither completed nor aborted: under way, or left by a process that died.
type Upload struct {
	Key   string // as the store has it: with the prefix of the bucket's URL
	ID    string
	Start time.Time
}

// Uploads lists the multipart uploads in an s3:// bucket, below the prefix of its URL.
func Uploads(ctx context.Context, b *cloud.Bucket) ([]Upload, error) {
	var client *s3.Client
	if !b.As(&client) {
		return nil, fmt.Errorf("s3: uploads in %s: it is no s3:// bucket", b.URL())
	}
	u, err := url.Parse(b.URL())
	if err != nil {
		return nil, fmt.Errorf("s3: uploads in %s: %w", b.URL(), err)
	}
	in := &s3.ListMultipartUploadsInput{Bucket: aws.String(u.Host)}
	if prefix := u.Query().Get("prefix"); prefix != "" {
		in.Prefix = aws.String(prefix)
	}
	var uploads []Upload
	for pages := s3.NewListMultipartUploadsPaginator(client, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("s3: uploads in %s: %w", b.URL(), err)
		}
		for _, upload := range page.Uploads {
			uploads = append(uploads, Upload{
				Key:   aws.ToString(upload.Key),
				ID:    aws.ToString(upload.UploadId),
				Start: aws.ToTime(upload.Initiated),
			})
		}
	}
	return uploads, nil
}
